// ContactPage: the form, an inquiry by its link, or the question to an author.
import type { ReactNode } from 'react'
import { inquiryNames } from '#contract/inquiries/names.ts'
import { type InquiryKind, inquiryKinds } from '#contract/inquiries/states.ts'
import { RadioCards } from '#src/ui/fields/radio-cards.tsx'
import { ContactForm } from './contact-form.tsx'
import { OpinionPage } from './opinion-page.tsx'
import { OwnInquiryPage } from './own-inquiry.tsx'
import { contactText as words } from './text.ts'

export type Failed = (error: Error, retry: () => Promise<unknown>) => ReactNode

interface ContactPageProps {
  kind: string | undefined
  /** Inquiry of a link to its sender. */
  request: string | undefined
  /** Inquiry of a link to the author. */
  opinion: string | undefined
  token: string | null
  onKind: (kind: InquiryKind) => void
  failed: Failed
}

export function ContactPage({ kind: wanted, request, opinion, token, onKind, failed }: ContactPageProps) {
  const kind = inquiryKinds.find((it) => it === wanted) ?? 'contact'
  return (
    <div className="mx-auto w-full max-w-160 px-4 pt-5 pb-16">
      {request !== undefined ? (
        <OwnInquiryPage link={{ inquiry_id: request, token: token ?? '' }} failed={failed} />
      ) : opinion !== undefined ? (
        <OpinionPage link={{ inquiry_id: opinion, token: token ?? '' }} failed={failed} />
      ) : (
        <>
          <p className="mb-6 text-read">{words.lead}</p>
          <RadioCards
            label={words.kind}
            value={kind}
            onChange={onKind}
            cards={inquiryKinds.map((value) => ({
              value,
              label: inquiryNames[value],
              hint: words.hints[value],
            }))}
          />
          <ContactForm key={kind} kind={kind} />
        </>
      )}
    </div>
  )
}
