using System.Globalization;
using System.Text;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Binary;
using Gateway.Codec.Types;
using Gateway.PubSub.Messages;

namespace Gateway.PubSub.Tests.Groups;

/// <summary>A mapping to read: each frame as <c>writer kind sequence 0=value 1=status</c>, with <c>; </c> between.
/// </summary>
/// <param name="maxFields">Of one message; 0: any number.</param>
internal sealed class TextMessageWriter(int maxFields = 0) : INetworkMessageWriter
{
    private readonly List<string> _frames = [];
    private readonly TaskCompletionSource _faulted = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _hindered = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int _fields;

    /// <summary>Ends at the first stumble.</summary>
    public Task Faulted => _faulted.Task;

    /// <summary>A value that fits no message.</summary>
    public double TooLarge { get; set; } = double.NaN;

    /// <summary>A value that the mapping stumbles over.</summary>
    public double Fault { get; set; } = double.NaN;

    /// <summary>Set it to a text: nothing can be written.</summary>
    public string? Obstacle { get; set; }

    /// <summary>Ends when the group has met the obstacle.</summary>
    public Task Hindered => _hindered.Task;

    public string? Hindrance
    {
        get
        {
            if (Obstacle is not null)
                _hindered.TrySetResult();
            return Obstacle;
        }
    }

    public int Length => Text.Length;

    public int PartCount => 1;

    private string Text => string.Join("; ", _frames);

    public void Begin(Guid messageId, DateTime timestamp)
    {
        _frames.Clear();
        _fields = 0;
    }

    public bool TryAdd(in DataSetFrame frame)
    {
        var text = new StringBuilder();
        text.Append(CultureInfo.InvariantCulture,
            $"{frame.Writer.DataSetWriterId} {frame.Kind} {frame.SequenceNumber}");
        foreach (ref readonly var field in frame.Fields)
        {
            if (field.Value?.Numeric == TooLarge)
                return false;
            if (field.Value?.Numeric == Fault)
                throw Stumble();
            text.Append(CultureInfo.InvariantCulture, $" {field.Index}=");
            text.Append(field.Value is not { } value ? field.Status.ToString()
                : value.Type == BuiltInType.String ? TextOf(value)
                : value.Numeric.ToString(CultureInfo.InvariantCulture));
        }

        if (maxFields > 0 && _fields + frame.Fields.Length > maxFields)
            return false;
        _fields += frame.Fields.Length;
        _frames.Add(text.ToString());
        return true;
    }

    private static string? TextOf(SharedValue value) =>
        new UaBinaryReader(value.EncodedVariant[1..]).ReadString();

    private InvalidOperationException Stumble()
    {
        _faulted.TrySetResult();
        return new InvalidOperationException("A fault of the mapping.");
    }

    public ReadOnlyMemory<byte> End() => Encoding.UTF8.GetBytes(Text);

    public ReadOnlyMemory<byte> Part(int index) => End();
}
