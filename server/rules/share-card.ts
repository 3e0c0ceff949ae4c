// Share cards: tags in a page's head from which other sites make previews.
import { escapeHtml } from './html.ts'

export interface Picture {
  readonly url: string
  readonly width: number
  readonly height: number
  readonly alt: string
}

export interface ShareCard {
  readonly kind: 'website' | 'article' | 'profile'
  readonly title: string
  readonly description: string
  /** Absolute URL of the page. */
  readonly url: string
  readonly picture: Picture
  /** Whether previews show the picture large, or small beside the text. */
  readonly large: boolean
}

const BRAND = 'とどけ'
const GENERAL = 'クリエイターの投稿を、電波が途切れても最後まで届けるアプリです。'
/** Characters that previews usually show. */
const DESCRIPTION = 120
const TITLE = 60

const characters = new Intl.Segmenter('ja', { granularity: 'grapheme' })

/** Shortens a text to one line of at most `most` characters, without bidi controls. */
export function shortened(text: string, most: number): string {
  const line = text
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/[\s\p{Cc}\p{Cs}]+/gu, ' ')
    .trim()
  const shown: string[] = []
  for (const { segment } of characters.segment(line)) {
    if (shown.length === most)
      return `${shown
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`
    shown.push(segment)
  }
  return line
}

/** The card of pages that have no card of their own; it has no content of the page. */
export function generalCard(publicUrl: string): ShareCard {
  return {
    kind: 'website',
    title: BRAND,
    description: GENERAL,
    url: `${publicUrl}/`,
    picture: { url: `${publicUrl}/icons/share-card.png`, width: 1200, height: 630, alt: BRAND },
    large: true,
  }
}

/** @param picture of the post, else the author's avatar or the general picture */
export function postCard(
  it: {
    url: string
    author: string
    /** '' without one. */
    title: string
    content: string
    hasVideo: boolean
    imageCount: number
  },
  picture: Picture,
  large: boolean,
): ShareCard {
  const words = shortened(it.content, DESCRIPTION)
  const media = it.hasVideo
    ? '動画の投稿です。'
    : it.imageCount > 0
      ? `画像${it.imageCount}枚の投稿です。`
      : GENERAL
  return {
    kind: 'article',
    title: titleOf(it),
    description: words === '' ? media : words,
    url: it.url,
    picture,
    large,
  }
}

/**
 * The card of a plan or priced post with a title or an introduction: it has no picture of the post.
 * @param general the card of the app
 */
export function closedPostCard(
  it: { url: string; author: string; title: string; introduction: string },
  general: ShareCard,
): ShareCard {
  const words = shortened(it.introduction, DESCRIPTION)
  return {
    ...general,
    kind: 'article',
    title: titleOf(it),
    description: words === '' ? `${shortened(it.author, TITLE)}さんの投稿を${BRAND}で見られます。` : words,
    url: it.url,
  }
}

function titleOf({ title, author }: { readonly title: string; readonly author: string }): string {
  const name = shortened(author, TITLE)
  const own = shortened(title, TITLE)
  return own === '' ? `${name}さんの投稿` : `${own} | ${name}さん`
}

export function profileCard(
  it: { url: string; name: string; handle: string | null; bio: string },
  picture: Picture,
): ShareCard {
  const name = shortened(it.name, TITLE)
  const bio = shortened(it.bio, DESCRIPTION)
  return {
    kind: 'profile',
    title: it.handle === null ? `${name}さん` : `${name}さん（@${it.handle}）`,
    description: bio === '' ? `${name}さんの投稿を${BRAND}で見られます。` : bio,
    url: it.url,
    picture,
    large: false,
  }
}

/**
 * Inserts a card into the head of the shell.
 * @param canonical whether the card's address is this page's own
 * @param indexed whether search engines may list the page
 */
export function withCard(
  shell: string,
  card: ShareCard,
  { canonical, indexed }: { canonical: boolean; indexed: boolean },
): string {
  const { picture } = card
  const title = card.title === BRAND ? BRAND : `${card.title} | ${BRAND}`
  const property = (name: string, value: string | number) =>
    `<meta property="${name}" content="${escapeHtml(String(value))}" />`
  const tags = [
    property('og:site_name', BRAND),
    property('og:locale', 'ja_JP'),
    property('og:type', card.kind),
    property('og:title', card.title),
    property('og:description', card.description),
    property('og:url', card.url),
    property('og:image', picture.url),
    property('og:image:width', picture.width),
    property('og:image:height', picture.height),
    property('og:image:alt', picture.alt),
    `<meta name="twitter:card" content="${card.large ? 'summary_large_image' : 'summary'}" />`,
    ...(indexed ? [] : ['<meta name="robots" content="noindex" />']),
    ...(canonical ? [`<link rel="canonical" href="${escapeHtml(card.url)}" />`] : []),
  ]
  const description = `<meta name="description" content="${escapeHtml(card.description)}" />`
  // Replacement functions, since `$&` in a replacement text would be expanded.
  return shell
    .replace(/<meta name="description"[^<>]*>/, () => description)
    .replace(/<title>[^<]*<\/title>/, () => `<title>${escapeHtml(title)}</title>`)
    .replace('</head>', () => `  ${tags.join('\n    ')}\n  </head>`)
}
