namespace Gateway.Codec.Structures;

[Structure(891, 893)]
public sealed partial class Annotation
{
    public string? Message { get; init; }

    public string? UserName { get; init; }

    public DateTime AnnotationTime { get; init; }
}
