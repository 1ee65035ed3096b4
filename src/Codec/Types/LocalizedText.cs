namespace Gateway.Codec.Types;

/// <summary>A text and its locale (RFC 3066). Source: Part 3 §8.5, Part 6 §5.2.2.14.</summary>
public readonly record struct LocalizedText(string? Text, string? Locale = null)
{
    public bool IsNull => Text is null && Locale is null;

    public override string ToString() => Text ?? string.Empty;
}
