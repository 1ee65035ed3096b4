using System.Collections.Generic;
using Microsoft.CodeAnalysis;

namespace Gateway.StructureGenerator.Model;

/// <summary>The C# type of each built-in type. Source: Part 6 §5.1.2.</summary>
internal static class ClrTypes
{
    public static IReadOnlyDictionary<string, BuiltIn> BuiltIns { get; } = new Dictionary<string, BuiltIn>
    {
        ["bool"] = BuiltIn.Boolean,
        ["sbyte"] = BuiltIn.SByte,
        ["byte"] = BuiltIn.Byte,
        ["short"] = BuiltIn.Int16,
        ["ushort"] = BuiltIn.UInt16,
        ["int"] = BuiltIn.Int32,
        ["uint"] = BuiltIn.UInt32,
        ["long"] = BuiltIn.Int64,
        ["ulong"] = BuiltIn.UInt64,
        ["float"] = BuiltIn.Float,
        ["double"] = BuiltIn.Double,
        ["string"] = BuiltIn.String,
        ["System.DateTime"] = BuiltIn.DateTime,
        ["System.Guid"] = BuiltIn.Guid,
        ["byte[]"] = BuiltIn.ByteString,
        ["Gateway.Codec.Types.XmlElement"] = BuiltIn.XmlElement,
        ["Gateway.Codec.Types.NodeId"] = BuiltIn.NodeId,
        ["Gateway.Codec.Types.ExpandedNodeId"] = BuiltIn.ExpandedNodeId,
        ["Gateway.Codec.Types.StatusCode"] = BuiltIn.StatusCode,
        ["Gateway.Codec.Types.QualifiedName"] = BuiltIn.QualifiedName,
        ["Gateway.Codec.Types.LocalizedText"] = BuiltIn.LocalizedText,
        ["Gateway.Codec.Types.ExtensionObject"] = BuiltIn.ExtensionObject,
        ["Gateway.Codec.Types.DataValue"] = BuiltIn.DataValue,
        ["Gateway.Codec.Types.Variant"] = BuiltIn.Variant,
        ["Gateway.Codec.Types.DiagnosticInfo"] = BuiltIn.DiagnosticInfo,
    };

    /// <summary>Without <c>global::</c> and without <c>?</c> on references: the key above, and unambiguous where it is
    /// used.</summary>
    public static SymbolDisplayFormat Format { get; } = new(
        typeQualificationStyle: SymbolDisplayTypeQualificationStyle.NameAndContainingTypesAndNamespaces,
        miscellaneousOptions: SymbolDisplayMiscellaneousOptions.UseSpecialTypes);
}
