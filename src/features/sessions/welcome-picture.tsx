// WelcomePicture: the drawing of the welcome page, a letter that reaches a phone.

export function WelcomePicture({ className }: { className?: string }) {
  return (
    <svg aria-hidden viewBox="0 0 400 240" fill="none" className={className}>
      <g stroke="currentColor" strokeWidth="2.5" strokeLinecap="round" strokeLinejoin="round">
        <Road />
        <Letter />
        <Phone />
      </g>
      <circle cx="149" cy="91" r="13" className="fill-seal" />
      <circle cx="322" cy="189" r="9" className="fill-seal" />
    </svg>
  )
}

function Road() {
  return (
    <g className="text-soft">
      <path d="M14 196c26 0 34-10 44-26" strokeDasharray="1 10" />
      <path d="M66 152c6-12 12-22 22-32" />
      <path d="M206 68c24-4 40 2 56 16" strokeDasharray="1 10" />
      <path d="m24 120 14 14M38 120l-14 14" />
    </g>
  )
}

function Letter() {
  return (
    <g transform="rotate(-10 149 84)">
      <rect x="97" y="50" width="104" height="70" rx="7" className="fill-raised" />
      <path d="m99 55 50 36 50-36" />
    </g>
  )
}

function Phone() {
  return (
    <g>
      <rect x="264" y="14" width="112" height="212" rx="18" className="fill-raised" />
      <path d="M308 26h24" />
      <circle cx="287" cy="52" r="9" />
      <path d="M303 48h34M303 58h22" className="text-soft" />
      <rect x="278" y="74" width="84" height="70" rx="8" />
      <path d="m278 132 24-24 18 18 12-12 30 26" />
      <circle cx="341" cy="93" r="6" />
      <path d="M278 160h70M278 171h46" className="text-soft" />
      <path d="M264 206h112" className="text-soft" strokeWidth="1.5" />
    </g>
  )
}
