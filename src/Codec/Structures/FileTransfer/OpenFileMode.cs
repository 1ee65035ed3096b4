namespace Gateway.Codec.Structures;

[Flags]
public enum OpenFileMode
{
    Read = 1,
    Write = 2,
    EraseExisting = 4,
    Append = 8,
}
