namespace Gateway.Codec.Structures;

[Flags]
public enum DataSetFieldFlags : ushort
{
    None = 0,
    PromotedField = 1,
}
