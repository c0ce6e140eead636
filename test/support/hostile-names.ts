/** Names that other people may give to agents and tasks, each an attack on some way of printing. */
export const HOSTILE_NAMES: readonly string[] = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '=HYPERLINK("http://example.invalid","y")',
  '-2+3|`x`',
  '@sum(A1)',
  '\u001b[31mred\u001b[0m\u202Egnp',
  '云计算 agent 🙂',
  'a"b\'c&amp;<b>\n# heading',
  '\\input{/etc/passwd}$x_1%^2~#',
  'very-long-name-'.repeat(6),
  '[x](javascript:alert(1)) ![y](http://example.invalid/z)',
  '\tcmd\r\n| a | b |',
];
