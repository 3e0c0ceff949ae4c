// Prose: text people wrote. Lines stay as typed; addresses become links that open elsewhere.
import { cx } from './cx.ts'

/** An address ends before the punctuation that closes a sentence. */
const address =
  /https?:\/\/[^\s<>"'「」『』（）【】、。，．！？]+[^\s<>"'「」『』（）【】、。，．！？.,:;!?)\]]/g

export interface Piece {
  is: 'text' | 'link'
  text: string
}

/** Cuts a text into plain pieces and https or http addresses. */
export function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = []
  let from = 0
  for (const match of text.matchAll(address)) {
    if (match.index > from) pieces.push({ is: 'text', text: text.slice(from, match.index) })
    pieces.push({ is: 'link', text: match[0] })
    from = match.index + match[0].length
  }
  if (from < text.length) pieces.push({ is: 'text', text: text.slice(from) })
  return pieces
}

export function Prose({ text, className }: { text: string; className?: string }) {
  return (
    <p className={cx('text-read break-words whitespace-pre-wrap', className)}>
      {piecesOf(text).map((piece, i) =>
        piece.is === 'link' ? (
          <a
            key={i}
            href={piece.text}
            target="_blank"
            rel="noopener noreferrer nofollow ugc"
            className="break-all text-info-text underline underline-offset-3"
          >
            {piece.text}
          </a>
        ) : (
          piece.text
        ),
      )}
    </p>
  )
}
