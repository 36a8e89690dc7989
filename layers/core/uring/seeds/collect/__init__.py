"""One domain, collected politely: robots.txt, sitemaps, home page and feeds (S5, S13, S14).

    robots ─► allowed URLs ─► sitemap ─► home page ─► feeds ─► children of an index ─► metadata

Every failure of a site becomes an answer with a reason; nothing is raised.

`answers`       the stored outcome of each request
`collector`     one domain, in order
`limits`        seconds, bytes, counts
`visit`         a domain's requests: the gap between them, the budget of all
`pace`          the next turn of each host and address
`robots`        where robots.txt is requested, and its outcome
`site`          the URLs that robots.txt allows
`hosts`         the rules of the hosts that redirects and foreign Sitemap lines lead to
`sitemaps`      the candidates: which are requested, and which one wins
`children`      the children of an index: which are requested, and their sum
`sitemap`       bytes of a file ─► its kind and count: pure
`sitemap_xml`   XML under limits, counted while it is read
`gunzip`        gzip by its magic bytes
`homepage`      the home page and its feeds
`metadata`      ``domain_metadata.json``
"""
