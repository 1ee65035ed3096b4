namespace Gateway.Codec.Structures;

[Structure(15532, 21155)]
public partial class DatagramWriterGroupTransportDataType : WriterGroupTransportDataType
{
    public byte MessageRepeatCount { get; init; }

    public double MessageRepeatDelay { get; init; }
}
