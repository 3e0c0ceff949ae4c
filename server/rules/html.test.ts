// Escaped text, and the frame of the server's own pages.
import { expect, test } from 'vitest'
import { escapeHtml, htmlPage } from './html.ts'

test('every sign that could end a text or an attribute is escaped, each time it occurs', () => {
  expect(escapeHtml(`<a href="x" title='y'>&amp;</a>`)).toBe(
    '&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;amp;&lt;/a&gt;',
  )
})

test('a page has an escaped title, one stylesheet, no script, and is not for search engines', () => {
  expect(htmlPage('海 & "空" <b>', '/pages/card.css', '<h1>海</h1>')).toBe(`<!doctype html>
<html lang="ja">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>海 &amp; &quot;空&quot; &lt;b&gt;</title>
<link rel="stylesheet" href="/pages/card.css">
</head>
<body>
<main>
<h1>海</h1>
</main>
</body>
</html>
`)
})
