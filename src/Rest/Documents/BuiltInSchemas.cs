using Gateway.Codec.Types;

namespace Gateway.Rest.Documents;

/// <summary>The built-in types in OPC UA JSON, Compact. Source: Part 6 §5.4.2.</summary>
internal static class BuiltInSchemas
{
    private static readonly Dictionary<Type, string> Names = new()
    {
        [typeof(bool)] = "Boolean",
        [typeof(sbyte)] = "SByte",
        [typeof(byte)] = "Byte",
        [typeof(short)] = "Int16",
        [typeof(ushort)] = "UInt16",
        [typeof(int)] = "Int32",
        [typeof(uint)] = "UInt32",
        [typeof(long)] = "Int64",
        [typeof(ulong)] = "UInt64",
        [typeof(float)] = "Float",
        [typeof(double)] = "Double",
        [typeof(string)] = "String",
        [typeof(DateTime)] = "DateTime",
        [typeof(Guid)] = "Guid",
        [typeof(byte[])] = "ByteString",
        [typeof(XmlElement)] = "XmlElement",
        [typeof(NodeId)] = "NodeId",
        [typeof(ExpandedNodeId)] = "ExpandedNodeId",
        [typeof(StatusCode)] = "StatusCode",
        [typeof(QualifiedName)] = "QualifiedName",
        [typeof(LocalizedText)] = "LocalizedText",
        [typeof(ExtensionObject)] = "ExtensionObject",
        [typeof(DataValue)] = "DataValue",
        [typeof(Variant)] = "Variant",
        [typeof(DiagnosticInfo)] = "DiagnosticInfo",
    };

    private static string Types => string.Join(", ", Enum.GetValues<BuiltInType>()
        .Where(static type => type != BuiltInType.Null).Select(static type => $"{(int)type} {type}"));

    public static string Json { get; } =
        """
        {
          "Boolean": {"type": "boolean"},
          "SByte": {"type": "integer", "minimum": -128, "maximum": 127},
          "Byte": {"type": "integer", "minimum": 0, "maximum": 255},
          "Int16": {"type": "integer", "minimum": -32768, "maximum": 32767},
          "UInt16": {"type": "integer", "minimum": 0, "maximum": 65535},
          "Int32": {"type": "integer", "minimum": -2147483648, "maximum": 2147483647},
          "UInt32": {"type": "integer", "minimum": 0, "maximum": 4294967295},
          "Int64": {"type": ["string", "integer"], "pattern": "^-?[0-9]{1,19}$", "description": "Answers: a string."},
          "UInt64": {"type": ["string", "integer"], "pattern": "^[0-9]{1,20}$", "description": "Answers: a string."},
          "Float": {"anyOf": [{"type": "number"}, {"enum": ["NaN", "Infinity", "-Infinity"]}]},
          "Double": {"anyOf": [{"type": "number"}, {"enum": ["NaN", "Infinity", "-Infinity"]}]},
          "String": {"type": ["string", "null"]},
          "DateTime": {"type": ["string", "null"], "format": "date-time"},
          "Guid": {"type": ["string", "null"], "format": "uuid"},
          "ByteString": {"type": ["string", "null"], "contentEncoding": "base64"},
          "XmlElement": {"type": ["string", "null"]},
          "NodeId": {
            "type": ["string", "null"], "pattern": "^((nsu=[^;]+|ns=[0-9]+);)?[isgb]=",
            "description": "nsu=<uri>;s=x or ns=2;s=x. Answers name the namespace by its URI."
          },
          "ExpandedNodeId": {
            "type": ["string", "null"],
            "pattern": "^((svu=[^;]+|svr=[0-9]+);)?((nsu=[^;]+|ns=[0-9]+);)?[isgb]="
          },
          "StatusCode": {
            "type": "object", "description": "Absent or empty: Good.",
            "properties": {
              "Code": {"$ref": "#/components/schemas/UInt32"},
              "Symbol": {"type": "string", "description": "For people; in Verbose."}
            },
            "additionalProperties": false
          },
          "QualifiedName": {
            "type": ["string", "null"],
            "description": "nsu=<uri>;name or 2:name; the name alone for the OPC UA namespace."
          },
          "LocalizedText": {
            "type": ["object", "null"],
            "properties": {"Locale": {"type": ["string", "null"]}, "Text": {"type": ["string", "null"]}},
            "additionalProperties": false
          },
          "ExtensionObject": {
            "type": ["object", "null"],
            "description": "The fields of the structure that UaTypeId names, or its bytes in UaBody.",
            "properties": {
              "UaTypeId": {"$ref": "#/components/schemas/NodeId"},
              "UaEncoding": {"enum": [1, 2], "description": "1 UA Binary, 2 XML; absent: the fields stand here."},
              "UaBody": {"type": "string", "contentEncoding": "base64"}
            },
            "required": ["UaTypeId"]
          },
          "DataValue": {
            "type": ["object", "null"],
            "properties": {
              "UaType": {"$ref": "#/components/schemas/BuiltInType"},
              "Value": {"description": "As UaType says; an array of them; flat with Dimensions."},
              "Dimensions": {"type": "array", "items": {"$ref": "#/components/schemas/Int32"}},
              "Status": {"$ref": "#/components/schemas/StatusCode"},
              "SourceTimestamp": {"$ref": "#/components/schemas/DateTime"},
              "SourcePicoseconds": {"$ref": "#/components/schemas/UInt16"},
              "ServerTimestamp": {"$ref": "#/components/schemas/DateTime"},
              "ServerPicoseconds": {"$ref": "#/components/schemas/UInt16"}
            },
            "additionalProperties": false
          },
          "Variant": {
            "type": ["object", "null"],
            "properties": {
              "UaType": {"$ref": "#/components/schemas/BuiltInType"},
              "Value": {"description": "As UaType says; an array of them; flat with Dimensions."},
              "Dimensions": {"type": "array", "items": {"$ref": "#/components/schemas/Int32"}}
            },
            "additionalProperties": false
          },
          "BuiltInType": {
            "type": "integer", "minimum": 0, "maximum": 25,
            "description": "{Types}"
          },
          "DiagnosticInfo": {
            "type": ["object", "null"],
            "properties": {
              "SymbolicId": {"$ref": "#/components/schemas/Int32"},
              "NamespaceUri": {"$ref": "#/components/schemas/Int32"},
              "Locale": {"$ref": "#/components/schemas/Int32"},
              "LocalizedText": {"$ref": "#/components/schemas/Int32"},
              "AdditionalInfo": {"type": ["string", "null"]},
              "InnerStatusCode": {"$ref": "#/components/schemas/StatusCode"},
              "InnerDiagnosticInfo": {"$ref": "#/components/schemas/DiagnosticInfo"}
            },
            "additionalProperties": false
          }
        }
        """.Replace("{Types}", Types, StringComparison.Ordinal);

    /// <summary>Null: no built-in type.</summary>
    public static string? NameOf(Type type) => Names.GetValueOrDefault(type);
}
