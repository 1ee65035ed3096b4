using Gateway.PubSub.Options;
using Gateway.PubSub.States;
using Gateway.Store;

namespace Gateway.PubSub.Outputs;

/// <summary>Writes what subscribers of a broker need besides the data. Source: Part 14 §7.3.4.7. Thread-safe.</summary>
internal interface IBrokerMessages : IDisposable
{
    /// <summary>From now on of other groups, in the same mappings.</summary>
    void Change(ConnectionOptions options, IReadOnlyList<DataSetOptions> dataSets);

    /// <summary>Retained: the connection, and that the publisher is operational.</summary>
    IEnumerable<RetainedMessage> AtStart(DateTime now);

    /// <summary>Null: it cannot be sealed now, or its group has ended.</summary>
    RetainedMessage? OfMetaData(Announcement announcement, DateTime now);

    /// <summary>Not retained, and not of the standard.</summary>
    RetainedMessage OfGap(GapReport gap, DateTime now);

    /// <summary>With the fields that it concerns, by the last metadata of each writer.</summary>
    GapReport Explain(StoreGap gap);

    /// <summary>The status of a publisher that ends.</summary>
    IEnumerable<RetainedMessage> AtEnd();

    /// <summary>The status that the broker publishes when the publisher vanishes.</summary>
    RetainedMessage Will();
}
