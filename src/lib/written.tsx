// Written: text people wrote. Lines stay as typed; addresses, hashtags and people named in it lead on.
import { Link } from '@tanstack/react-router'
import type { MentionView } from '#contract/mentions.ts'
import { textPieces } from './text-pieces.ts'

const look = 'wrap-anywhere text-info-text underline underline-offset-3'

/** `mentions`: whom the `@` names mean; others stay words. */
export function Written({ text, mentions }: { text: string; mentions: readonly MentionView[] }) {
  let at = 0
  return textPieces(text, mentions).map((piece) => {
    at += piece.text.length
    switch (piece.is) {
      case 'plain':
        return piece.text
      case 'link':
        return (
          <a
            key={at}
            href={piece.href}
            target="_blank"
            rel="noopener noreferrer nofollow ugc"
            className={look}
          >
            {piece.text}
          </a>
        )
      case 'hashtag':
        return (
          <Link key={at} to="/search/result" search={{ q: piece.q }} className={look}>
            {piece.text}
          </Link>
        )
      case 'mention':
        return (
          <Link key={at} to="/profile/$id" params={{ id: piece.personId }} className={look}>
            {piece.text}
          </Link>
        )
      default:
        return piece satisfies never
    }
  })
}
