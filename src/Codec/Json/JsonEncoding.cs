namespace Gateway.Codec.Json;

/// <summary>The forms of OPC UA JSON. Source: Part 6 §5.4.1, Annex H.</summary>
public enum JsonEncoding : byte
{
    /// <summary>Without fields that have their default.</summary>
    Compact,

    /// <summary>With all fields, and the symbols of StatusCodes.</summary>
    Verbose,

    /// <summary>Deprecated: NodeIds and QualifiedNames as objects, a Variant as <c>Type</c> and <c>Body</c>.</summary>
    Reversible,

    /// <summary>Deprecated: a Variant and an ExtensionObject as their bare body. Cannot be read back.</summary>
    NonReversible,
}
