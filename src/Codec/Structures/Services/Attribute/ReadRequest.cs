namespace Gateway.Codec.Structures;

/// <summary>Source: Part 4 §5.11.2.</summary>
[Structure(629, 631)]
public sealed partial class ReadRequest : IServiceRequest
{
    public RequestHeader RequestHeader { get; set; }

    public double MaxAge { get; init; }

    public TimestampsToReturn TimestampsToReturn { get; init; }

    public ReadValueId[]? NodesToRead { get; init; }
}
