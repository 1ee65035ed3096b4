namespace Gateway.Codec.Structures;

/// <summary>Source: Part 4 §5.5.5.</summary>
[Structure(438, 440)]
public sealed partial class RegisterServerResponse : IServiceResponse
{
    public ResponseHeader ResponseHeader { get; set; }
}
