// Evidence: a person's statements and files; files are shown after a validation.
import type { ComponentType } from 'react'
import type { CheckDetail } from '#contract/identity/admin-identity.ts'
import { ageOn } from '#contract/rules.ts'
import { date } from '#src/lib/format.ts'
import { administrationText as words } from './text.ts'
import { Facts } from './facts.tsx'
import { Gestures, SentFiles } from './review/sent-files.tsx'

/** A component that validates the admin; calls back afterwards. */
export type Confirms = ComponentType<{ onConfirmed: () => void }>

interface EvidenceProps {
  checkId: string
  evidence: NonNullable<CheckDetail['evidence']>
  /** When the check was submitted, ms since 1970. */
  submittedAt: number
  Confirmation: Confirms
}

/** What the account says about the person, to compare with the document. */
export function About({ evidence, submittedAt }: Pick<EvidenceProps, 'evidence' | 'submittedAt'>) {
  const { birth_date: birthDate, legal_name: name, legal_name_kana: kana } = evidence
  return (
    <section aria-labelledby="about">
      <h3 id="about" className="mb-2 font-semibold">
        {words.about}
      </h3>
      <Facts
        facts={[
          [words.legalName, name || words.notGiven],
          [words.legalNameKana, kana || words.notGiven],
          [words.birthDate, words.bornOn(date(Date.parse(birthDate)), ageOn(birthDate, submittedAt))],
        ]}
      />
    </section>
  )
}

export function Evidence({ checkId, evidence, Confirmation }: Omit<EvidenceProps, 'submittedAt'>) {
  const { prompts, files } = evidence
  return (
    <section aria-labelledby="files">
      <h3 id="files" className="mb-2 font-semibold">
        {words.files}
      </h3>
      {files.length > 0 ? (
        <SentFiles checkId={checkId} files={files} prompts={prompts} Confirmation={Confirmation} />
      ) : (
        <>
          <p>{words.filesGone}</p>
          <Gestures prompts={prompts} />
        </>
      )}
    </section>
  )
}
