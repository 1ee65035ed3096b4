namespace Gateway.Codec.Structures;

[Structure(24105, 24108)]
public sealed partial class PortableQualifiedName
{
    public string? NamespaceUri { get; init; }

    public string? Name { get; init; }
}
