namespace Gateway.Codec.Structures;

public enum DataSetOrderingType
{
    Undefined = 0,
    AscendingWriterId = 1,
    AscendingWriterIdSingle = 2,
}
