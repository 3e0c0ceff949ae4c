// Share cards of posts and profiles, and the escaping of user text.
import { expect, test } from 'vitest'
import { closedPostCard, generalCard, postCard, profileCard, shortened, withCard } from './share-card.ts'

const picture = { url: 'https://todoke.test/p.webp', width: 640, height: 480, alt: '海' }
const shell = `<html><head><meta name="description" content="x" /><title>x</title>\n</head><body></body></html>`
const post = {
  url: 'https://todoke.test/post/1',
  author: '葵',
  title: '',
  content: '',
  hasVideo: false,
  imageCount: 0,
}

test('a text is one line of limited length, without bidi controls', () => {
  expect(shortened(' 朝\n\tの  海 ', 10)).toBe('朝 の 海')
  expect(shortened('\u202e海\u2066朝\u2069', 10)).toBe('海朝')
  expect(shortened('一二三', 3)).toBe('一二三')
  expect(shortened('一二三四', 3)).toBe('一二…')
  expect(shortened('一 三四', 3)).toBe('一…')
  expect(shortened('👨‍👩‍👧👨‍👩‍👧', 1)).toBe('…')
})

test('a post’s card has its text, or else names its media', () => {
  expect(postCard({ ...post, content: '朝の海' }, picture, true)).toEqual({
    kind: 'article',
    title: '葵さんの投稿',
    description: '朝の海',
    url: post.url,
    picture,
    large: true,
  })
  const saidOf = (it: Partial<typeof post>) => postCard({ ...post, ...it }, picture, false).description
  expect(saidOf({ hasVideo: true, imageCount: 1 })).toBe('動画の投稿です。')
  expect(saidOf({ imageCount: 2 })).toBe('画像2枚の投稿です。')
  expect(saidOf({})).toBe(generalCard('https://todoke.test').description)
})

test('a title stands before the author, and a closed post shows it with the introduction and no picture of the post', () => {
  expect(postCard({ ...post, title: '壁紙' }, picture, true).title).toBe('壁紙 | 葵さん')
  const general = generalCard('https://todoke.test')
  expect(closedPostCard({ ...post, title: '壁紙', introduction: '原画\n三枚' }, general)).toEqual({
    ...general,
    kind: 'article',
    title: '壁紙 | 葵さん',
    description: '原画 三枚',
    url: post.url,
  })
  expect(closedPostCard({ ...post, introduction: '' }, general)).toMatchObject({
    title: '葵さんの投稿',
    description: '葵さんの投稿をとどけで見られます。',
  })
})

test('a profile’s card has the name, and the handle and the biography if set', () => {
  const person = { url: 'https://todoke.test/@aoi', name: '葵', handle: 'aoi', bio: '写真' }
  expect(profileCard(person, picture)).toEqual({
    kind: 'profile',
    title: '葵さん（@aoi）',
    description: '写真',
    url: person.url,
    picture,
    large: false,
  })
  expect(profileCard({ ...person, handle: null, bio: ' ' }, picture)).toMatchObject({
    title: '葵さん',
    description: '葵さんの投稿をとどけで見られます。',
  })
})

test('the general card has no content of the page', () => {
  expect(generalCard('https://todoke.test')).toMatchObject({
    kind: 'website',
    title: 'とどけ',
    url: 'https://todoke.test/',
    picture: { url: 'https://todoke.test/icons/share-card.png', width: 1200, height: 630, alt: 'とどけ' },
    large: true,
  })
})

test('user text is escaped in attributes and in the title', () => {
  const evil = `"><script>'&$&</title>`
  const card = { ...postCard({ ...post, content: evil }, { ...picture, alt: evil }, true), title: evil }
  const page = withCard(shell, card, { canonical: true, indexed: true })
  const safe = '&quot;&gt;&lt;script&gt;&#39;&amp;$&amp;&lt;/title&gt;'
  expect(page).not.toContain('<script>')
  expect(page).toContain(`<title>${safe} | とどけ</title>`)
  expect(page).toContain(`<meta name="description" content="${safe}" />`)
  expect(page).toContain(`<meta property="og:image:alt" content="${safe}" />`)
  expect(page.match(/<title>/g)).toHaveLength(1)
})

test('the head has every tag once, and a robots tag for pages that search engines may not list', () => {
  const card = generalCard('https://todoke.test')
  const page = withCard(shell, card, { canonical: true, indexed: true })
  const lines = page
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /^<(?:meta|link) /.test(line))
  expect(lines).toEqual([
    '<meta property="og:site_name" content="とどけ" />',
    '<meta property="og:locale" content="ja_JP" />',
    '<meta property="og:type" content="website" />',
    '<meta property="og:title" content="とどけ" />',
    `<meta property="og:description" content="${card.description}" />`,
    '<meta property="og:url" content="https://todoke.test/" />',
    '<meta property="og:image" content="https://todoke.test/icons/share-card.png" />',
    '<meta property="og:image:width" content="1200" />',
    '<meta property="og:image:height" content="630" />',
    '<meta property="og:image:alt" content="とどけ" />',
    '<meta name="twitter:card" content="summary_large_image" />',
    '<link rel="canonical" href="https://todoke.test/" />',
  ])
  expect(page).toContain(`<meta name="description" content="${card.description}" /><title>とどけ</title>`)
  const hidden = withCard(shell, profileCard({ url: '', name: '葵', handle: null, bio: '' }, picture), {
    canonical: false,
    indexed: false,
  })
  expect(hidden).toContain('<meta name="robots" content="noindex" />')
  expect(hidden).toContain('<meta name="twitter:card" content="summary" />')
  expect(hidden).not.toContain('rel="canonical"')
})

test('the card is at the end of the head, and a listed page has no robots tag', () => {
  const built = `<html><head><meta name="description" content="x" /><title>とどけ</title></head><body></body></html>`
  const card = postCard({ ...post, content: '朝の海' }, picture, false)
  const page = withCard(built, card, { canonical: false, indexed: true })
  expect(page).toContain('<title>葵さんの投稿 | とどけ</title>')
  const [head = '', body] = page.split('</head>')
  expect(body).toBe('<body></body></html>')
  expect(head.match(/<(?:meta|link) [^<>]*>/g)).toEqual([
    '<meta name="description" content="朝の海" />',
    '<meta property="og:site_name" content="とどけ" />',
    '<meta property="og:locale" content="ja_JP" />',
    '<meta property="og:type" content="article" />',
    '<meta property="og:title" content="葵さんの投稿" />',
    '<meta property="og:description" content="朝の海" />',
    '<meta property="og:url" content="https://todoke.test/post/1" />',
    '<meta property="og:image" content="https://todoke.test/p.webp" />',
    '<meta property="og:image:width" content="640" />',
    '<meta property="og:image:height" content="480" />',
    '<meta property="og:image:alt" content="海" />',
    '<meta name="twitter:card" content="summary" />',
  ])
  expect(head.replaceAll(/<(?:meta|link) [^<>]*>/g, '').replaceAll(/\s+/g, '')).toBe(
    '<html><head><title>葵さんの投稿|とどけ</title>',
  )
})
