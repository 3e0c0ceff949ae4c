// LegalPage: one of the three texts of the law, with the operator's facts in their places.
import { useSuspenseQuery } from '@tanstack/react-query'
import type { Section } from '#src/ui/text/document.tsx'
import { Document } from '#src/ui/text/document.tsx'
import { operatorQuery, operatorWords, type OperatorWords } from './operator.ts'

interface LegalPageProps {
  lead: (operator: OperatorWords) => string
  sections: (operator: OperatorWords) => readonly Section[]
  /** Long texts begin with a list of what they say. */
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
