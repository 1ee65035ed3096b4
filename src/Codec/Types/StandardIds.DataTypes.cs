namespace Gateway.Codec.Types;

public static partial class StandardIds
{
    public static class DataTypes
    {
        public const uint Boolean = 1;
        public const uint SByte = 2;
        public const uint Byte = 3;
        public const uint Int16 = 4;
        public const uint UInt16 = 5;
        public const uint Int32 = 6;
        public const uint UInt32 = 7;
        public const uint Int64 = 8;
        public const uint UInt64 = 9;
        public const uint Float = 10;
        public const uint Double = 11;
        public const uint String = 12;
        public const uint DateTime = 13;
        public const uint Guid = 14;
        public const uint ByteString = 15;
        public const uint XmlElement = 16;
        public const uint NodeId = 17;
        public const uint ExpandedNodeId = 18;
        public const uint StatusCode = 19;
        public const uint QualifiedName = 20;
        public const uint LocalizedText = 21;
        public const uint Structure = 22;
        public const uint DataValue = 23;
        public const uint BaseDataType = 24;
        public const uint DiagnosticInfo = 25;
        public const uint Number = 26;
        public const uint Integer = 27;
        public const uint UInteger = 28;
        public const uint Enumeration = 29;
        public const uint Image = 30;
        public const uint Duration = 290;
        public const uint UtcTime = 294;
        public const uint LocaleId = 295;
        public const uint Argument = 296;
        public const uint Range = 884;
        public const uint EUInformation = 887;
        public const uint EnumValueType = 7594;
        public const uint ServerStatusDataType = 862;
        public const uint ServerState = 852;
        public const uint BuildInfo = 338;
        public const uint TimeZoneDataType = 8912;
        public const uint RedundancySupport = 851;
        public const uint SignedSoftwareCertificate = 344;
    }
}
