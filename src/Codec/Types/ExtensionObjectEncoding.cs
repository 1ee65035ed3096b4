namespace Gateway.Codec.Types;

/// <summary>The encoding of the type and the body of an <see cref="ExtensionObject"/>.</summary>
public enum ExtensionObjectEncoding : byte
{
    /// <summary>No body.</summary>
    None,
    Binary,
    Xml,
    Json,
}
