// Welcome: a visitor's first page, with a picture and the sign-in form.
import type { ReactNode } from 'react'
import { Brand } from '#src/ui/brand.tsx'
import { WelcomePicture } from './welcome-picture.tsx'
import { text } from '#src/domain/text/text.ts'
import { sessionText } from '#src/domain/session/text.ts'

export function Welcome({ title, children, foot }: { title: string; children: ReactNode; foot: ReactNode }) {
  return (
    <div className="mx-auto grid w-full max-w-240 flex-1 items-center gap-x-16 px-4 py-8 wide:grid-cols-[1fr_400px] wide:py-12">
      <div className="flex flex-col items-center text-center wide:items-start wide:text-left">
        <Brand name={text.brand} />
        <p className="mt-3 text-xl font-semibold wide:text-2xl">
          {sessionText.pitch.map((phrase) => (
            <span key={phrase} className="inline-block">
              {phrase}
            </span>
          ))}
        </p>
        <p className="mt-3 hidden text-read text-soft wide:block">{sessionText.pitchMore}</p>
        <WelcomePicture className="mt-6 w-full max-w-64 wide:mt-10 wide:max-w-100" />
      </div>
      <section aria-labelledby="welcome" className="mx-auto mt-6 w-full max-w-100 wide:mt-0">
        <div className="wide:rounded-media wide:border wide:border-line wide:bg-raised wide:p-8">
          <h1 id="welcome" className="mb-5 text-xl font-semibold">
            {title}
          </h1>
          {children}
        </div>
        <div className="mt-6 text-center">{foot}</div>
      </section>
    </div>
  )
}
