namespace Gateway.Codec.Structures;

[Flags]
public enum EventNotifierType : byte
{
    None = 0,
    SubscribeToEvents = 1,
    HistoryRead = 4,
    HistoryWrite = 8,
}
