"""Problems of a configuration file, for people: place, line, message and remedy.

`findings`       from a refusal to a problem in words
`places`         the line of each part of a file
"""
