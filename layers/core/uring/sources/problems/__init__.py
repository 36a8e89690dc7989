"""Problems of a configuration file, for people: place, line, message and remedy.

`findings`       from a refusal to a problem in words
`places`         where the parts of a file stand in its text
"""
