// The plain text of a notice, for emails, and for readers without marks.
import type { NoticeBlock, NoticeContent, NoticePiece } from '#contract/notices/content.ts'

/** A link is followed by its address, unless it is its own text. */
const pieceText = ({ text, href }: NoticePiece): string =>
  href === undefined || href === text ? text : `${text}（${href}）`

const lineOf = (pieces: readonly NoticePiece[]): string => pieces.map(pieceText).join('')

function blockText(block: NoticeBlock): string {
  switch (block.is) {
    case 'heading':
      return `■ ${lineOf(block.pieces)}`
    case 'paragraph':
      return lineOf(block.pieces)
    case 'list':
      return block.items
        .map((item, index) => `${block.ordered ? `${index + 1}.` : '・'} ${lineOf(item)}`)
        .join('\n')
    default:
      return block satisfies never
  }
}

/** The text of a notice without its marks: blocks with an empty line between them. */
export const plainTextOf = (content: NoticeContent): string => content.map(blockText).join('\n\n')
