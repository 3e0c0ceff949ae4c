// DocumentStep: the choice of the document.
import { useState } from 'react'
import { documentKinds, type DocumentKind } from '#contract/identity/identity.ts'
import { chooseDocument } from '#device/jobs/identity.ts'
import { identityText } from '#src/domain/identity/text.ts'
import { Button } from '#src/ui/button.tsx'
import { RadioCards } from '#src/ui/fields/radio-cards.tsx'

interface DocumentStepProps {
  ownerId: string
  chosen: DocumentKind | null
  onNext: () => void
}

export function DocumentStep({ ownerId, chosen, onNext }: DocumentStepProps) {
  const [kind, setKind] = useState<DocumentKind>(chosen ?? 'drivers_license')
  async function next() {
    await chooseDocument(ownerId, kind, Date.now())
    onNext()
  }
  return (
    <div className="flex flex-col gap-5">
      <RadioCards
        label={identityText.chooseLegend}
        value={kind}
        onChange={setKind}
        cards={documentKinds.map((value) => ({
          value,
          label: identityText.documents[value],
          hint: identityText.documentHints[value],
        }))}
      />
      <Button look="seal" wide onClick={() => void next()}>
        {identityText.next}
      </Button>
    </div>
  )
}
