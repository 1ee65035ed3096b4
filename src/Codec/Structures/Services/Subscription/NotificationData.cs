namespace Gateway.Codec.Structures;

[Structure(945, 947)]
public partial class NotificationData;
