namespace Gateway.Codec.Structures;

/// <summary>Source: Part 4 §5.5.5.</summary>
[Structure(435, 437)]
public sealed partial class RegisterServerRequest : IServiceRequest
{
    public RequestHeader RequestHeader { get; set; }

    public RegisteredServer Server { get; init; } = new();
}
