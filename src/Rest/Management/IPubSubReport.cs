using System.Text.Json;

namespace Gateway.Rest.Management;

/// <summary>Writes the state of PubSub. There is none where nothing is published. Threads: any.</summary>
public interface IPubSubReport
{
    /// <summary>The members of the answer.</summary>
    void Write(Utf8JsonWriter json);
}
