/** Source languages by grammar: typescript, javascript and tsx share one member. */
export type LanguageName = 'python' | 'typescript' | 'javascript' | 'tsx' | 'rust' | 'go';
