// LegalPage: one of the three legal texts, with the operator's facts.
import { useSuspenseQuery } from '@tanstack/react-query'
import type { Section } from '#src/ui/text/document.tsx'
import { Document } from '#src/ui/text/document.tsx'
import { operatorQuery, operatorWords, type OperatorWords } from './operator.ts'

interface LegalPageProps {
  lead: (operator: OperatorWords) => string
  sections: (operator: OperatorWords) => readonly Section[]
  /** Whether the text begins with a table of contents. */
  contents?: boolean
}

export function LegalPage({ lead, sections, contents = false }: LegalPageProps) {
  const operator = operatorWords(useSuspenseQuery(operatorQuery).data)
  return (
    <Document
      lead={lead(operator)}
      sections={sections(operator)}
      {...(contents ? { contents: '目次' } : {})}
      foot={
        operator.effectiveOn && (
          <p className="text-right">
            制定日 {operator.effectiveOn}
            <br />
            {operator.name}
          </p>
        )
      }
    />
  )
}
