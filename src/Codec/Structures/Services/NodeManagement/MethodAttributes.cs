namespace Gateway.Codec.Structures;

[Structure(358, 360)]
public sealed partial class MethodAttributes : NodeAttributes
{
    public bool Executable { get; init; }

    public bool UserExecutable { get; init; }
}
