namespace Gateway.Codec.Structures;

[Structure(32434, 32560)]
public sealed partial class AnnotationDataType
{
    public string? Annotation { get; init; }

    public string? Discipline { get; init; }

    public string? Uri { get; init; }
}
