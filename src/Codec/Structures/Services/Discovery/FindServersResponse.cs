namespace Gateway.Codec.Structures;

/// <summary>Source: Part 4 §5.5.2.</summary>
[Structure(423, 425)]
public sealed partial class FindServersResponse : IServiceResponse
{
    public ResponseHeader ResponseHeader { get; set; }

    public ApplicationDescription[]? Servers { get; init; }
}
