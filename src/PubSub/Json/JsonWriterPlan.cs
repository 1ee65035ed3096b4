using System.Text.Json;
using Gateway.Codec.Json;
using Gateway.Codec.Structures;
using Gateway.PubSub.Messages;

namespace Gateway.PubSub.Json;

/// <summary>The common parts of a DataSetWriter's messages, made once for a description. Immutable.</summary>
internal sealed class JsonWriterPlan
{
    private const DataSetFieldContentMask DataValueBits = DataSetFieldContentMask.StatusCode |
        DataSetFieldContentMask.SourceTimestamp | DataSetFieldContentMask.ServerTimestamp |
        DataSetFieldContentMask.SourcePicoSeconds | DataSetFieldContentMask.ServerPicoSeconds;

    public JsonWriterPlan(WriterDescription writer, JsonFormats formats)
    {
        Writer = writer;
        Name = JsonMessageNames.Encode(writer.Name);
        Fields = [.. (writer.MetaData.Fields ?? []).Select(field => new JsonFieldPlan(field, writer.MetaData))];
        Format = formats.Of(writer.JsonMask, writer.FieldContentMask);
        KnownFormat = Format == formats.Verbose ? formats.VerboseKnown : Format;
        HeaderFormat = Format == formats.Raw ? formats.Verbose : Format;
        Mask = writer.FieldContentMask;
        WritesDataValues = (Mask & DataValueBits) != 0;
    }

    public WriterDescription Writer { get; }

    public JsonEncodedText Name { get; }

    public JsonFieldPlan[] Fields { get; }

    /// <summary>Of values that say their own type.</summary>
    public JsonFormat Format { get; }

    /// <summary>Of values whose type is in the metadata.</summary>
    public JsonFormat KnownFormat { get; }

    public JsonFormat HeaderFormat { get; }

    public DataSetFieldContentMask Mask { get; }

    public bool WritesDataValues { get; }

    /// <summary>Values whose type is known stand without it. Source: Part 14 §7.2.5.4.2.</summary>
    public bool CollapsesVariants => Format.Encoding == JsonEncoding.Verbose;
}
