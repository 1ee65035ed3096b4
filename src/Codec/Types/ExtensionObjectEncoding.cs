namespace Gateway.Codec.Types;

/// <summary>What the type and the body of an <see cref="ExtensionObject"/> are written in.</summary>
public enum ExtensionObjectEncoding : byte
{
    /// <summary>No body.</summary>
    None,
    Binary,
    Xml,
    Json,
}
