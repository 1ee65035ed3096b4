namespace Gateway.StructureGenerator.Model;

internal enum ProblemKind
{
    /// <summary>A field's type is none that the encodings know.</summary>
    NoEncoding,

    /// <summary>The declaration contradicts itself or the standard.</summary>
    Declaration,
}
