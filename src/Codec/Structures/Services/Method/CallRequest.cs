namespace Gateway.Codec.Structures;

/// <summary>Source: Part 4 §5.12.2.</summary>
[Structure(710, 712)]
public sealed partial class CallRequest : IServiceRequest
{
    public RequestHeader RequestHeader { get; set; }

    public CallMethodRequest[]? MethodsToCall { get; init; }
}
