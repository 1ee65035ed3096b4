namespace Gateway.Codec.Structures;

[Structure(32799, 32800)]
public sealed partial class ReadEventDetails2 : ReadEventDetails
{
    public bool ReadModified { get; init; }
}
