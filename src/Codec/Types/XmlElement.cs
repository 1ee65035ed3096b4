namespace Gateway.Codec.Types;

/// <summary>XML as text, carried and never interpreted (R22). Source: Part 6 §5.2.2.8.</summary>
public readonly record struct XmlElement(string? Value)
{
    public override string ToString() => Value ?? string.Empty;
}
