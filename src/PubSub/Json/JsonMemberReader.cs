using System.Text.Json;
using Gateway.Codec.Json;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.PubSub.Messages;

namespace Gateway.PubSub.Json;

/// <summary>Reads members of headers and discovery messages. One that is not there is null or the default; one of
/// another type is a problem, of which the first stays. Owner: one read.</summary>
internal sealed class JsonMemberReader(JsonValueBudget budget)
{
    public JsonValueBudget Budget => budget;

    public ReceiveProblem Problem { get; private set; }

    public JsonSlice Needed(JsonSlice item)
    {
        if (item.IsNull)
            Fail(ReceiveProblem.WrongMember);
        return item;
    }

    public void Fail(ReceiveProblem problem)
    {
        if (Problem == ReceiveProblem.None)
            Problem = problem;
    }

    private void Check(in UaJsonReader reader)
    {
        if (reader.Failed)
            Fail(ReceiveProblem.WrongMember);
    }

    public string? ReadText(ReadOnlySpan<byte> text, JsonSlice item)
    {
        if (item.IsNull)
            return null;
        var reader = Budget.Read(item.Of(text));
        var value = reader.ReadString();
        Check(reader);
        return reader.Failed ? null : value;
    }

    /// <summary>Some publishers write one that is a number as such.</summary>
    public string? ReadPublisherId(ReadOnlySpan<byte> text, JsonSlice item) => item.Token == JsonTokenType.Number
        ? ReadUnsigned(text, item)
        : ReadText(text, item);

    private string? ReadUnsigned(ReadOnlySpan<byte> text, JsonSlice item)
    {
        var reader = Budget.Read(item.Of(text));
        var value = reader.ReadUInt64();
        Check(reader);
        return reader.Failed ? null : value.ToString(System.Globalization.CultureInfo.InvariantCulture);
    }

    /// <summary>Also as a text: the DataSetWriterId of edition 1.04 was one.</summary>
    public uint? ReadNumber(ReadOnlySpan<byte> text, JsonSlice item, uint most)
    {
        if (item.IsNull)
            return null;
        var reader = Budget.Read(item.Of(text));
        var value = reader.ReadUInt64();
        Check(reader);
        if (reader.Failed || value > most)
        {
            Fail(ReceiveProblem.WrongMember);
            return null;
        }

        return (uint)value;
    }

    public DateTime? ReadTime(ReadOnlySpan<byte> text, JsonSlice item)
    {
        if (item.IsNull)
            return null;
        var reader = Budget.Read(item.Of(text));
        var value = reader.ReadDateTime();
        Check(reader);
        return reader.Failed ? null : value;
    }

    public Guid ReadGuid(ReadOnlySpan<byte> text, JsonSlice item)
    {
        if (item.IsNull)
            return default;
        var reader = Budget.Read(item.Of(text));
        var value = reader.ReadGuid();
        Check(reader);
        return value;
    }

    public bool ReadBoolean(ReadOnlySpan<byte> text, JsonSlice item)
    {
        if (item.IsNull)
            return false;
        var reader = Budget.Read(item.Of(text));
        var value = reader.ReadBoolean();
        Check(reader);
        return value;
    }

    public StatusCode ReadStatus(ReadOnlySpan<byte> text, JsonSlice item)
    {
        if (item.IsNull)
            return default;
        var reader = Budget.Read(item.Of(text));
        var value = reader.ReadStatusCode();
        Check(reader);
        return value;
    }

    /// <summary>A number, or <c>Name_Number</c> as Verbose has it.</summary>
    public int ReadEnumeration(ReadOnlySpan<byte> text, JsonSlice item)
    {
        if (item.IsNull)
            return 0;
        var value = JsonFieldReader.ReadNumbers(text, item, Budget);
        if (value.Status.IsBad || !value.Value.IsScalar)
            Fail(ReceiveProblem.WrongMember);
        return value.Status.IsBad || !value.Value.IsScalar ? 0 : (int)value.Value.AsInt64();
    }

    public List<string?> ReadTexts(ReadOnlySpan<byte> text, JsonSlice item)
    {
        if (item.IsNull)
            return [];
        var reader = Budget.Read(item.Of(text));
        var texts = reader.ReadArray<string>(BuiltInType.String) ?? [];
        Check(reader);
        return [.. texts];
    }

    public T ReadStructure<T>(ReadOnlySpan<byte> text, JsonSlice item)
        where T : class, IJsonStructure<T>, new()
    {
        if (item.IsNull)
            return new T();
        var reader = Budget.Read(item.Of(text));
        var value = T.Decode(ref reader);
        reader.End();
        Check(reader);
        return reader.Failed ? new T() : value;
    }

    public List<EndpointDescription> ReadEndpoints(ReadOnlySpan<byte> text, JsonSlice item)
    {
        var all = new List<EndpointDescription>();
        if (item.IsNull)
            return all;
        var reader = Budget.Read(item.Of(text));
        reader.BeginArray();
        while (reader.NextElement())
            all.Add(EndpointDescription.Decode(ref reader));
        Check(reader);
        return all;
    }
}
