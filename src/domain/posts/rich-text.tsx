// RichText: a user's text with links, hashtags and mentions as links.
import { Link } from '@tanstack/react-router'
import { Fragment } from 'react'
import type { MentionView } from '#contract/text/mentions.ts'
import { Marked } from './highlight.tsx'
import { textPieces, type TextPiece } from './text-pieces.ts'

interface RichTextProps {
  text: string
  /** Whose handles are links. */
  mentions?: readonly MentionView[]
  className?: string
}

export function RichText({ text, mentions, className = 'text-read' }: RichTextProps) {
  return (
    // The direction of each line follows its first character.
    <p dir="auto" className={`break-words whitespace-pre-wrap [unicode-bidi:plaintext] ${className}`}>
      {withOffsets(textPieces(text, mentions)).map(([at, piece]) => (
        <Fragment key={at}>
          {piece.is === 'plain' ? <Marked text={piece.text} /> : <Piece piece={piece} />}
        </Fragment>
      ))}
    </p>
  )
}

/** The pieces with their offsets, which are unique keys. */
function withOffsets(pieces: readonly TextPiece[]): (readonly [number, TextPiece])[] {
  let at = 0
  return pieces.map((piece) => {
    const start = at
    at += piece.text.length
    return [start, piece] as const
  })
}

/** Links differ by weight too, for readers who do not see the colour. */
const linkLook = 'font-semibold text-info-text hover:underline'

function Piece({ piece }: { piece: Exclude<TextPiece, { is: 'plain' }> }) {
  switch (piece.is) {
    case 'link':
      return (
        <a
          href={piece.href}
          target="_blank"
          rel="noopener noreferrer nofollow ugc"
          title={piece.href}
          className="[overflow-wrap:anywhere] text-info-text underline underline-offset-3"
        >
          {piece.text}
        </a>
      )
    case 'hashtag':
      return (
        <Link to="/search/result" search={{ q: piece.q }} className={linkLook}>
          <Marked text={piece.text} />
        </Link>
      )
    case 'mention':
      return (
        <Link to="/profile/$id" params={{ id: piece.personId }} className={linkLook}>
          {piece.text}
        </Link>
      )
    default:
      return piece satisfies never
  }
}
