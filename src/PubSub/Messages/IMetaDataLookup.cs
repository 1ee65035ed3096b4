using Gateway.Codec.Structures;

namespace Gateway.PubSub.Messages;

/// <summary>Finds what is known about the DataSetWriter of a message, from its metadata message or from configuration.
/// </summary>
public interface IMetaDataLookup
{
    /// <summary>Null: unknown. The result for unchanged metadata is the same object.</summary>
    /// <param name="message">Without its fields.</param>
    DataSetMetaDataType? Find(ReceivedDataSet message);
}
