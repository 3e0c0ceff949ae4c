// HelpPage: one topic's questions and answers, and links to the other topics.
import { useRouterState } from '@tanstack/react-router'
import { Questions } from '#src/ui/text/questions.tsx'
import { Rich } from '#src/ui/text/rich.tsx'
import { Row, Rows } from '#src/ui/rows.tsx'
import { helpText, topics, type HelpText } from './topics.ts'

interface HelpPageProps {
  text: HelpText
  path: (typeof topics)[number]['path']
}

export function HelpPage({ text, path }: HelpPageProps) {
  const open = useRouterState({ select: (state) => state.location.hash })
  return (
    <div className="pb-16">
      <p className="px-4 py-5 text-read rail:px-8">
        <Rich text={text.lead} />
      </p>
      <Questions questions={text.questions} open={open} />
      <div className="mt-10">
        <Rows label={helpText.others}>
          {topics
            .filter((it) => it.path !== path)
            .map((it) => (
              <Row key={it.path} to={it.path} title={it.title} hint={it.summary} />
            ))}
        </Rows>
      </div>
    </div>
  )
}
