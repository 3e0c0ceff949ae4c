// Fields: the gallery's form controls.
import { Globe } from 'lucide-react'
import { useState } from 'react'
import { Check } from '#src/ui/fields/check.tsx'
import { DateField } from '#src/ui/fields/date-field.tsx'
import { Field, TextArea, TextInput } from '#src/ui/fields/field.tsx'
import { PasswordField } from '#src/ui/fields/password-field.tsx'
import { RadioCards } from '#src/ui/fields/radio-cards.tsx'
import { Select } from '#src/ui/fields/select.tsx'
import { Switch } from '#src/ui/fields/switch.tsx'
import { Shelf } from './shelf.tsx'

const words = { year: '年', month: '月', day: '日' }
const options = [
  { value: 'a', label: '普通' },
  { value: 'b', label: '当座' },
]

export function Fields() {
  return (
    <>
      <TextFields />
      <PasswordFields />
      <Choices />
      <Switches />
      <Cards />
    </>
  )
}

function TextFields() {
  return (
    <Shelf name="Field">
      <Field label="名前" hint="ほかの人に表示されます。" className="w-64">
        <TextInput defaultValue="夕暮" />
      </Field>
      <Field label="メールアドレス" error="メールアドレスは正しい形式で入力してください" className="w-64">
        <TextInput defaultValue="yuugure" />
      </Field>
      <Field label="使えない欄" optional="任意" className="w-64">
        <TextInput disabled defaultValue="変更できません" />
      </Field>
      <Field label="自己紹介" count={{ now: 12, max: 160 }} hint="プロフィールに出ます。" className="w-64">
        <TextArea defaultValue="港町で写真を撮っています。" />
      </Field>
      <Field
        label="長すぎる文"
        count={{ now: 171, max: 160 }}
        error="文字数が上限を超えています"
        className="w-64"
      >
        <TextArea defaultValue="長い文です。" />
      </Field>
    </Shelf>
  )
}

function PasswordFields() {
  return (
    <Shelf name="PasswordField">
      <div className="w-64">
        <PasswordField
          label="パスワード"
          showLabel="表示"
          hideLabel="隠す"
          input={{ defaultValue: 'abc12345' }}
        />
      </div>
      <div className="w-64">
        <PasswordField
          label="パスワード"
          error="パスワードが条件を満たしていません"
          showLabel="表示"
          hideLabel="隠す"
          input={{ defaultValue: 'abc' }}
        />
      </div>
    </Shelf>
  )
}

function Choices() {
  return (
    <Shelf name="DateField, Select">
      <div className="w-72">
        <DateField
          label="生年月日"
          value="1999-04-03"
          onChange={() => {}}
          years={{ from: 1930, to: 2008 }}
          words={words}
        />
      </div>
      <div className="w-72">
        <DateField
          label="生年月日"
          value=""
          error="入力必須項目です。"
          onChange={() => {}}
          years={{ from: 1930, to: 2008 }}
          words={words}
        />
      </div>
      <Field label="口座の種類" className="w-40">
        <Select options={options} placeholder="選択" />
      </Field>
    </Shelf>
  )
}

function Switches() {
  const [on, setOn] = useState(true)
  return (
    <Shelf name="Switch, Check">
      <div className="w-72">
        <Switch
          label="年齢制限"
          hint="18歳以上に向けた投稿です。"
          checked={on}
          onChange={setOn}
          icon={<Globe size={22} />}
        />
        <Switch label="使えない設定" checked={false} onChange={() => {}} disabled />
      </div>
      <div className="w-72">
        <Check
          label="同意します"
          checked={on}
          onChange={setOn}
          aside={<span className="text-soft">500円</span>}
        />
        <Check
          label="同意が必要です"
          checked={false}
          onChange={() => {}}
          error="利用規約への同意が必要です"
        />
        <Check label="使えません" checked={false} onChange={() => {}} disabled />
      </div>
    </Shelf>
  )
}

function Cards() {
  const [choice, setChoice] = useState<'all' | 'some' | 'none'>('all')
  return (
    <Shelf name="RadioCards">
      <div className="w-full max-w-100">
        <RadioCards
          label="文字のサイズ"
          value={choice}
          onChange={setChoice}
          cards={[
            { value: 'all', label: '大きい', hint: '余白が広くなります。' },
            { value: 'some', label: '標準' },
            { value: 'none', label: '小さい', hint: 'この画面では選べません。', disabled: true },
          ]}
        />
      </div>
    </Shelf>
  )
}
