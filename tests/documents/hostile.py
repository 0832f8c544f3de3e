"""Texts that try to be more than text, for everything that reads or writes files."""

HOSTILE = """\
<script>alert(1)</script> and <img src=x onerror=alert(2)> stay words.

![remote](http://evil.example/pixel.png "look") and [run](javascript:alert(3)) and [data](data:text/html,x) too.

[file](file:///etc/passwd) </article></style></script><svg onload=alert(4)> &lt;b&gt; &quot;

=HYPERLINK("http://evil.example","x")

\u202eright to left\u202c שלום \u200fعربي

"><iframe src=http://evil.example></iframe> ' onmouseover='alert(5)
"""

RICH = """\
---
title: A letter
---

# Heading *one*

A **bold** word, an *italic* one, a ~~gone~~ one, `code` and a [link](https://example.org/a?b=1&c=2).

- one
- two
  - nested
    1. deep
    2. deeper
- three

## Second

1. first
2. second

> A quotation.

```python
def f(x):
    return "<x>"
```

| A | B |
| --- | --- |
| 1 | **2** |

**注意：**中文“引号”，第二句🙂👩‍👩‍👧。
"""
