namespace Gateway.Codec.Types;

/// <summary>A name with its namespace. Source: Part 3 §8.3, Part 6 §5.2.2.13.</summary>
public readonly record struct QualifiedName(string? Name, ushort NamespaceIndex = 0)
{
    public bool IsNull => string.IsNullOrEmpty(Name);

    public override string ToString() => QualifiedNameText.Format(this);
}
