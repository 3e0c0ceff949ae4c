// Parses the limited Markdown of notices to a closed tree.
import MarkdownIt, { type Token } from 'markdown-it'
import type { NoticeBlock, NoticeContent, NoticePiece } from '#contract/notices/content.ts'

/** Everything that is not named here stays text: HTML, pictures, code, quotes, tables. */
const parser = new MarkdownIt('zero').enable(['heading', 'list', 'emphasis', 'link', 'escape', 'newline'])

/**
 * Marks of bold text may stand beside any character but a space. Markdown's own rule, made for words between spaces, leaves
 * `**12月28日（月）**に` as it is: a bracket before the mark and a letter after it.
 */
class JapaneseState extends parser.inline.State {
  override scanDelims(start: number, canSplitWord: boolean) {
    const scanned = super.scanDelims(start, canSplitWord)
    if (this.src[start] !== '*') return scanned
    const [before = ' ', after = ' '] = [this.src[start - 1], this.src[start + scanned.length]]
    return { ...scanned, can_open: !isSpace(after), can_close: !isSpace(before) }
  }
}
const isSpace = (character: string): boolean => /\s/.test(character)
parser.inline.State = JapaneseState

/** Addresses of links: https, without spaces and characters that end an attribute. */
const isLink = (href: string): boolean => href.startsWith('https://') && URL.canParse(href)
parser.validateLink = isLink

/**
 * The tree of a text. A link that is not https keeps its marks as text.
 * @param markdown at most `MAX_NOTICE_BODY` characters; parsing time grows with its length
 */
export function parseNotice(markdown: string): NoticeContent {
  const blocks: NoticeBlock[] = []
  let list: { ordered: boolean; items: NoticePiece[][] } | undefined
  let depth = 0
  let level: 2 | 3 | undefined
  for (const token of parser.parse(markdown, {})) {
    switch (token.type) {
      case 'bullet_list_open':
      case 'ordered_list_open':
        depth += 1
        list ??= { ordered: token.type === 'ordered_list_open', items: [] }
        break
      case 'bullet_list_close':
      case 'ordered_list_close':
        depth -= 1
        if (depth === 0 && list) {
          blocks.push({ is: 'list', ...list })
          list = undefined
        }
        break
      case 'list_item_open':
        list?.items.push([])
        break
      case 'heading_open':
        // The title of the page is above them: # and ## are of the same rank.
        level = token.tag === 'h1' || token.tag === 'h2' ? 2 : 3
        break
      case 'heading_close':
        level = undefined
        break
      case 'inline':
        place(token, { blocks, list, level })
        break
      default:
    }
  }
  return blocks.filter(hasText)
}

interface Place {
  readonly blocks: NoticeBlock[]
  readonly list: { readonly items: NoticePiece[][] } | undefined
  readonly level: 2 | 3 | undefined
}

/** Adds the pieces of one line group to the open list item, or as a block. */
function place(token: Token, { blocks, list, level }: Place): void {
  const pieces = piecesOf(token.children ?? [])
  if (pieces.length === 0) return
  const item = list?.items.at(-1)
  if (item) item.push(...(item.length > 0 ? [{ text: '\n' }] : []), ...pieces)
  else if (level) blocks.push({ is: 'heading', level, pieces })
  else blocks.push({ is: 'paragraph', pieces })
}

function piecesOf(tokens: readonly Token[]): NoticePiece[] {
  const pieces: NoticePiece[] = []
  let bold = 0
  let href: string | undefined
  for (const token of tokens) {
    if (token.type === 'strong_open') bold += 1
    else if (token.type === 'strong_close') bold -= 1
    // Text in italics is no part of a notice: its marks stay.
    else if (token.type === 'em_open' || token.type === 'em_close') add(pieces, token.markup, bold > 0, href)
    else if (token.type === 'link_open') href = String(token.attrGet('href'))
    else if (token.type === 'link_close') href = undefined
    else {
      const text = token.type === 'softbreak' || token.type === 'hardbreak' ? '\n' : token.content
      add(pieces, text, bold > 0, href)
    }
  }
  return pieces
}

/** Joins neighbours of one look, so that a tree has no more pieces than looks. */
function add(pieces: NoticePiece[], text: string, bold: boolean, href: string | undefined): void {
  if (text === '') return
  const last = pieces.at(-1)
  if (last && (last.bold ?? false) === bold && last.href === href) {
    pieces[pieces.length - 1] = { ...last, text: last.text + text }
    return
  }
  pieces.push({ text, ...(bold && { bold }), ...(href !== undefined && { href }) })
}

const hasText = (block: NoticeBlock): boolean =>
  (block.is === 'list' ? block.items.flat() : block.pieces).some(({ text }) => text.trim() !== '')
