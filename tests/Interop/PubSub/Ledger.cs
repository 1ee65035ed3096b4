using System.Globalization;
using System.Text.Json;

namespace Gateway.Interop.PubSub;

/// <summary>Checks what a subscriber gets of the simulator's counters: within one run of the gateway, each sequence
/// number and each value of each tag is there, in order. A message comes twice only under the same MessageId.</summary>
internal sealed class Ledger
{
    private readonly HashSet<string> known = [];
    private readonly Dictionary<string, double> values = [];
    private uint next;

    /// <summary>Messages that came again.</summary>
    public int Repeats { get; private set; }

    /// <summary>Runs of the gateway, the present one among them.</summary>
    public int Runs { get; private set; }

    /// <summary>The present run's messages with fields.</summary>
    public uint Frames => next;

    /// <summary>The least count of all tags.</summary>
    public double Count => values.Count == 0 ? 0 : values.Values.Min();

    public void Take(Subscriber.Message message)
    {
        if (!known.Add(message.Json.GetProperty("MessageId").GetString()!))
        {
            Repeats++;
            return;
        }

        JsonElement frame = message.Json.GetProperty("Messages");
        uint number = frame.GetProperty("SequenceNumber").GetUInt32();
        string type = frame.GetProperty("MessageType").GetString()!;
        if (number == 0 && next > 0 || Runs == 0)
        {
            Runs++;
            next = 0;
            values.Clear();
        }

        Assert.True(next == number, $"message {number} of run {Runs} in the place of {next}: {message.Json}");
        if (type == "ua-keepalive")
            return;
        next++;
        foreach (JsonProperty field in frame.GetProperty("Payload").EnumerateObject())
            Take(field, type, number);
    }

    private void Take(JsonProperty field, string type, uint number)
    {
        if (!field.Value.TryGetProperty("Value", out JsonElement value))
            return;
        double count = value.GetDouble();
        string at = string.Create(CultureInfo.InvariantCulture, $"{field.Name} in message {number} of run {Runs}");
        if (values.TryGetValue(field.Name, out double before))
        {
            Assert.True(
                count == before + 1 || count == before && type == "ua-keyframe",
                string.Create(CultureInfo.InvariantCulture, $"{at}: {count} after {before}"));
        }

        values[field.Name] = count;
    }
}
