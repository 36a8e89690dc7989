"""From a page to rows and values, by declaration: rules, dates, links, text."""
