/**
 * Plain scalars that YAML 1.1 (kubectl, Helm, Argo CD) and YAML 1.2 read differently. Whoever wrote one meant one of the two.
 * Returns what to write instead, or `undefined` for a scalar that all read alike.
 *
 * Source: YAML 1.1 types "bool", "int" and "merge"; YAML 1.2.2, "10.3 Core Schema"; sigs.k8s.io/yaml.
 */
export const ambiguityOf = (source: string): { readonly message: string; readonly hint: string } | undefined => {
  if (/^(?:y|yes|on|n|no|off)$/i.test(source) && isOneCase(source)) {
    const meaning = /^(?:y|yes|on)$/i.test(source) ? 'true' : 'false';
    return {
      message: `plain ${source} is ${meaning} to YAML 1.1 and a text to YAML 1.2`,
      hint: `write '${source}' for the text, or ${meaning}`,
    };
  }
  if (/^[-+]?0[0-7]+$/.test(source)) {
    const octal = Number.parseInt(source, 8);
    if (octal === Number(source)) return undefined;
    return {
      message: `${source} is ${octal} (octal) to YAML 1.1 and ${Number(source)} to YAML 1.2`,
      hint: `write ${octal} for the octal number, ${Number(source)} for the decimal one, or '${source}' for the text`,
    };
  }
  if (/^[-+]?0\d+$/.test(source))
    return { message: `${source} is a text to some readers and a number to others`, hint: `write ${Number(source)} or '${source}'` };
  if (/^[-+]?0o[0-7]+$/.test(source)) {
    return {
      message: `${source} is a number to YAML 1.2 and a text to YAML 1.1`,
      hint: `write ${Number(source.replace('+', ''))}, or '${source}' for the text`,
    };
  }
  if (/^[-+]?(?:0b[01_]+|0x[\da-f_]*_[\da-f_]*|\d[\d_]*_[\d_]*(?:\.[\d_]*)?)$/i.test(source)) {
    return {
      message: `${source} is a number to YAML 1.1 and a text to YAML 1.2`,
      hint: `write plain decimal digits, or '${source}' for the text`,
    };
  }
  return undefined;
};

/** YAML 1.1 knows `no`, `No` and `NO`, not `nO`. */
const isOneCase = (source: string): boolean =>
  source === source.toLowerCase() ||
  source === source.toUpperCase() ||
  source === source.charAt(0).toUpperCase() + source.slice(1).toLowerCase();
